// Carries out orders, one line of JSON each, with the official client; answers each with one line of JSON.
import { createInterface } from 'node:readline';
import OpenAI from 'openai';

function parameters(order) {
  return {
    model: order.model,
    messages: [{ role: 'user', content: order.prompt }],
    max_completion_tokens: order.tokensMax,
    ...(order.wrongStop ? { stop: 7 } : {}),
  };
}

async function chat(client, order) {
  const { choices } = await client.chat.completions.create(parameters(order));
  return { text: choices[0].message.content, pieces: 1, finish: choices[0].finish_reason };
}

async function stream(client, order) {
  const pieces = [];
  let finish = '';
  for await (const chunk of await client.chat.completions.create({ ...parameters(order), stream: true })) {
    for (const choice of chunk.choices) {
      if (choice.delta.content) pieces.push(choice.delta.content);
      if (choice.finish_reason) finish = choice.finish_reason;
    }
  }
  return { text: pieces.join(''), pieces: pieces.length, finish };
}

const GATES = {
  type: 'object',
  properties: { gate: { enum: ['upper', 'lower'] } },
  required: ['gate'],
  additionalProperties: false,
};

async function tools(client, order) {
  const talk = {
    ...parameters(order),
    max_completion_tokens: 200,
    tools: [{ type: 'function', function: { name: 'level', description: 'Reads the level before a gate', parameters: GATES } }],
  };
  const asked = (await client.chat.completions.create(talk)).choices[0].message;
  const call = asked.tool_calls[0];
  talk.messages.push(asked, { role: 'tool', tool_call_id: call.id, content: '3 m' });
  const answer = (await client.chat.completions.create(talk)).choices[0].message;
  return { tool: call.function.name, input: JSON.parse(call.function.arguments), text: answer.content };
}

async function structured(client, order) {
  const answer = await client.chat.completions.parse({
    ...parameters(order),
    max_completion_tokens: 200,
    response_format: { type: 'json_schema', json_schema: { name: 'level', strict: true, schema: GATES } },
  });
  return { gate: JSON.parse(answer.choices[0].message.content).gate };
}

function prompt(order) {
  return { model: order.model, prompt: order.prompt, max_tokens: order.tokensMax };
}

async function completion(client, order) {
  const { choices } = await client.completions.create(prompt(order));
  return { text: choices[0].text, pieces: 1, finish: choices[0].finish_reason };
}

async function completionStream(client, order) {
  const pieces = [];
  let finish = '';
  for await (const chunk of await client.completions.create({ ...prompt(order), stream: true })) {
    for (const choice of chunk.choices) {
      if (choice.text) pieces.push(choice.text);
      if (choice.finish_reason) finish = choice.finish_reason;
    }
  }
  return { text: pieces.join(''), pieces: pieces.length, finish };
}

async function embedding(client, order) {
  const { data } = await client.embeddings.create({
    model: order.model,
    input: order.prompt,
    dimensions: order.dimensions,
    ...(order.format ? { encoding_format: order.format } : {}),
  });
  return { embedding: data[0].embedding };
}

async function models(client) {
  const names = [];
  for await (const model of client.models.list()) names.push(model.id);
  return { models: names };
}

async function carryOut(order) {
  const { baseURL, apiKey, maxRetries, headers } = order;
  try {
    const client = new OpenAI({ baseURL, apiKey, maxRetries, defaultHeaders: headers, timeout: 30_000 });
    return await { chat, stream, tools, structured, completion, completionStream, embedding, models }[order.what](client, order);
  } catch (error) {
    const { status, code, type, param } = error;
    if (!(error instanceof OpenAI.APIError)) console.error(error);
    return { error: { kind: error.constructor.name, status, code, type, param } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  carryOut(order).then((answer) => console.log(JSON.stringify({ number: order.number, ...answer })));
}
