// Carries out orders, one line of JSON each, with the official client; answers each with one line of JSON.
import { createInterface } from 'node:readline';
import Anthropic from '@anthropic-ai/sdk';

function parameters(order) {
  return {
    model: order.model,
    messages: [{ role: 'user', content: order.prompt }],
    max_tokens: order.tokensMax,
    ...order.more,
  };
}

const text = ({ content }) => content.map((block) => (block.type === 'text' ? block.text : '')).join('');

async function message(client, order) {
  const answer = await client.messages.create(parameters(order));
  return { text: text(answer), pieces: 1, finish: answer.stop_reason };
}

async function stream(client, order) {
  const pieces = [];
  let finish = '';
  for await (const event of await client.messages.create({ ...parameters(order), stream: true })) {
    if (event.type === 'content_block_delta') pieces.push(event.delta.text);
    if (event.type === 'message_delta') finish = event.delta.stop_reason;
  }
  return { text: pieces.join(''), pieces: pieces.length, finish };
}

async function tools(client, order) {
  const answer = (talk) => (order.streamed ? client.messages.stream(talk).finalMessage() : client.messages.create(talk));
  const talk = {
    ...parameters(order),
    max_tokens: 200,
    system: 'Use the tool.',
    tools: [
      {
        name: 'level',
        description: 'Reads the level before a gate',
        input_schema: { type: 'object', properties: { gate: { enum: ['upper', 'lower'] } } },
      },
    ],
  };
  const asked = await answer(talk);
  const call = asked.content.find((block) => block.type === 'tool_use');
  talk.messages.push({ role: 'assistant', content: asked.content });
  talk.messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: '3 m' }] });
  return { tool: call.name, input: call.input, text: text(await answer(talk)) };
}

async function countTokens(client, order) {
  const { model, messages } = parameters(order);
  const { input_tokens } = await client.messages.countTokens({ model, messages });
  return { text: String(input_tokens), pieces: 1, finish: '' };
}

async function models(client) {
  const names = [];
  for await (const model of client.models.list({ limit: 2 })) names.push(model.id);
  return { models: names };
}

async function model(client, order) {
  const { id } = await client.models.retrieve(order.model);
  return { text: id, pieces: 1, finish: '' };
}

async function carryOut(order) {
  const { baseURL, apiKey, maxRetries, headers, patience } = order;
  try {
    const client = new Anthropic({ baseURL, apiKey, maxRetries, defaultHeaders: headers, timeout: patience });
    return await { message, stream, tools, countTokens, models, model }[order.what](client, order);
  } catch (error) {
    if (!(error instanceof Anthropic.APIError)) console.error(error);
    return { error: { kind: error.constructor.name, status: error.status, type: error.error?.error?.type } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  carryOut(order).then((answer) => console.log(JSON.stringify({ number: order.number, ...answer })));
}
