// Carries out orders on the Responses API, one line of JSON each, with the official client; answers each with one line.
import { createInterface } from 'node:readline';
import OpenAI from 'openai';

const made = ({ id, status, output_text }) => ({ id, status, text: output_text ?? '' });

function parameters(order) {
  return { model: 'chat', input: order.input, ...order.fields };
}

/** Reads so many events and leaves. */
async function read(stream, most) {
  const events = [];
  for await (const event of stream) {
    const { type, sequence_number, response, delta } = event;
    events.push({ type, number: sequence_number, id: response?.id ?? '', status: response?.status ?? '', delta: delta ?? '' });
    if (events.length === most) break;
  }
  return { events };
}

const orders = {
  create: async (client, order) => made(await client.responses.create(parameters(order))),
  stream: async (client, order) =>
    read(await client.responses.create({ ...parameters(order), stream: true }), order.most),
  retrieve: async (client, order) => made(await client.responses.retrieve(order.id)),
  resume: async (client, order) =>
    read(await client.responses.retrieve(order.id, { stream: true, starting_after: order.after }), -1),
  cancel: async (client, order) => made(await client.responses.cancel(order.id)),
  remove: async (client, order) => {
    await client.responses.delete(order.id);
    return {};
  },
  items: async (client, order) => {
    const texts = [];
    for await (const item of client.responses.inputItems.list(order.id, { order: 'asc', limit: 1 })) {
      texts.push(item.content[0].text);
    }
    return { texts };
  },
};

async function carryOut(order) {
  const { baseURL, apiKey } = order;
  try {
    return await orders[order.what](new OpenAI({ baseURL, apiKey, maxRetries: 0, timeout: 30_000 }), order);
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
