// Carries out orders, one line of JSON each, with the official client; answers each with one line of JSON.
import { createInterface } from 'node:readline';
import OpenAI, { toFile } from 'openai';

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

async function ask(client, order) {
  const file = await client.files.create({
    file: await toFile(Buffer.from(order.prompt), 'requests.jsonl'),
    purpose: 'batch',
  });
  return client.batches.create({
    input_file_id: file.id,
    endpoint: order.endpoint,
    completion_window: '24h',
  });
}

async function until(client, id, ...states) {
  for (;;) {
    const batch = await client.batches.retrieve(id);
    if (states.includes(batch.status)) return batch;
    await new Promise((later) => setTimeout(later, 50));
  }
}

async function results(client, file) {
  if (!file) return [];
  const text = await (await client.files.content(file)).text();
  return text.trim().split('\n').map((line) => JSON.parse(line).custom_id);
}

async function ended(client, id) {
  const batch = await until(client, id, 'completed', 'failed', 'expired', 'cancelled');
  const ids = [];
  for await (const one of client.batches.list()) ids.push(one.id);
  if (!ids.includes(id)) throw new Error('the batch is not in the list');
  return {
    status: batch.status,
    total: batch.request_counts.total,
    completed: batch.request_counts.completed,
    faults: (batch.errors?.data ?? []).map((fault) => `${fault.line} ${fault.code}`),
    results: [
      ...(await results(client, batch.output_file_id)),
      ...(await results(client, batch.error_file_id)),
    ],
  };
}

async function batch(client, order) {
  return ended(client, (await ask(client, order)).id);
}

async function cancelledBatch(client, order) {
  const { id } = await ask(client, order);
  await until(client, id, 'in_progress');
  await client.batches.cancel(id);
  return ended(client, id);
}

async function deletedFile(client, order) {
  const { id } = await client.files.create({ file: await toFile(Buffer.from(order.prompt), 'f'), purpose: 'batch' });
  const ids = [];
  for await (const file of client.files.list()) ids.push(file.id);
  if (!ids.includes(id)) throw new Error('the file is not in the list');
  await client.files.delete(id);
  await client.files.retrieve(id);
  return { status: 200 };
}

async function carryOut(order) {
  const { baseURL, apiKey, maxRetries, headers, patience } = order;
  try {
    const client = new OpenAI({ baseURL, apiKey, maxRetries, defaultHeaders: headers, timeout: patience });
    const ways = { chat, stream, tools, structured, completion, completionStream, embedding, models };
    const batching = { batch, cancelledBatch, deletedFile };
    return await { ...ways, ...batching }[order.what](client, order);
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
