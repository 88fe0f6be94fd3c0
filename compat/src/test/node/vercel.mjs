// Carries out orders, one line of JSON each, with the official client; answers each with one line of JSON.
import { createInterface } from 'node:readline';
import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, Output, embed, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';

const GATES = { type: 'object', properties: { gate: { enum: ['upper', 'lower'] } }, required: ['gate'], additionalProperties: false };

function parameters(provider, order) {
  return {
    model: provider[order.api](order.model),
    prompt: order.prompt,
    maxOutputTokens: order.tokensMax,
    maxRetries: order.maxRetries,
    headers: order.headers,
    abortSignal: AbortSignal.timeout(order.patience),
    ...(order.wrongStop ? { stopSequences: 7 } : {}),
  };
}

async function chat(provider, order) {
  const { text, finishReason } = await generateText(parameters(provider, order));
  return { text, pieces: 1, finish: finishReason };
}

async function stream(provider, order) {
  const pieces = [];
  let finish = '';
  // Without a function of its own it writes each error to the console too.
  for await (const part of streamText({ ...parameters(provider, order), onError: () => {} }).fullStream) {
    if (part.type === 'text-delta') pieces.push(part.text);
    if (part.type === 'finish') finish = part.finishReason;
    if (part.type === 'error') throw part.error;
  }
  return { text: pieces.join(''), pieces: pieces.length, finish };
}

async function tools(provider, order) {
  let called;
  const level = tool({
    description: 'Reads the level before a gate',
    inputSchema: jsonSchema(GATES),
    execute: async (input) => {
      called = input;
      return '3 m';
    },
  });
  const { text } = await generateText({
    ...parameters(provider, order),
    maxOutputTokens: 200,
    tools: { level },
    stopWhen: stepCountIs(2),
  });
  return { tool: 'level', input: called, text };
}

async function structured(provider, order) {
  const { output } = await generateText({
    ...parameters(provider, order),
    maxOutputTokens: 200,
    output: Output.object({ schema: jsonSchema(GATES) }),
  });
  return { gate: output.gate };
}

async function embedding(provider, order) {
  const { embedding } = await embed({ model: provider.embedding(order.model), value: order.prompt });
  return { embedding };
}

/** Two turns of one conversation: of the first answer the client sends by itself no more than the ids of its items. */
async function talk(provider, order) {
  const { prompt, ...rest } = parameters(provider, order);
  const first = await generateText({ prompt, ...rest });
  const { response, request } = await generateText({
    ...rest,
    messages: [{ role: 'user', content: prompt }, ...first.responseMessages, { role: 'user', content: 'Go on.' }],
    include: { requestBody: true },
  });
  return { text: first.text, id: response.id, sent: JSON.stringify(request.body) };
}

async function carryOut(order) {
  const { baseURL, apiKey } = order;
  try {
    const provider = createOpenAI({ baseURL, apiKey });
    return await { chat, stream, tools, structured, embedding, talk }[order.what](provider, order);
  } catch (error) {
    if (!APICallError.isInstance(error)) console.error(error);
    const { code, type, param } = error.data?.error ?? {};
    return { error: { kind: error.constructor.name, status: error.statusCode, code, type, param } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  carryOut(order).then((answer) => console.log(JSON.stringify({ number: order.number, ...answer })));
}
