import type { MessageRecord, ServiceClient, ServiceKey } from '@sealpost/sdk'
import type { Command } from '../command.ts'
import { printList } from '../table.ts'

const list: Command = {
  words: ['messages', 'list'],
  summary: 'List the messages of a connection, newest first',
  json: 'lines',
  positionals: ['CONNECTION_ID'],
  options: { decrypt: { type: 'boolean', about: 'Decrypt the messages with the key file' } },
  async run(context, { positionals: [id = ''], flag }) {
    const { messages } = context.service()
    const key = flag('decrypt') ? await context.key() : null
    const opened = openedMessages(messages, id, key)
    await printList(context, opened, ['id', 'sent', 'from', 'read', 'text'], (message) => [
      message.message_id,
      message.created_at,
      message.broadcast === true ? 'broadcast' : message.from,
      message.read_at === null ? '' : 'read',
      ('text' in message ? message.text : null) ?? '(sealed)',
    ])
  },
}

const send: Command = {
  words: ['messages', 'send'],
  summary: 'Write to the customer of a connection',
  json: 'document',
  positionals: ['CONNECTION_ID', 'TEXT'],
  options: {},
  async run(context, { positionals: [id = '', text = ''] }) {
    const sent = await context.service().messages.send(id, text, await context.key())
    context.terminal.print(context.isJson ? JSON.stringify(sent) : sent.message_id)
  },
}

const read: Command = {
  words: ['messages', 'read'],
  summary: 'Acknowledge the messages of a customer up to one of them',
  json: 'document',
  positionals: ['CONNECTION_ID', 'MESSAGE_ID'],
  options: {},
  async run(context, { positionals: [id = '', messageId = ''] }) {
    const answer = await context.service().messages.acknowledge(id, messageId)
    context.terminal.print(context.isJson ? JSON.stringify(answer) : `${answer.unread_count} unread`)
  },
}

const broadcast: Command = {
  words: ['messages', 'broadcast'],
  summary: 'Write to all customers, in plain text that the platform can read',
  json: 'document',
  positionals: ['TEXT'],
  options: {},
  async run(context, { positionals: [text = ''] }) {
    const answer = await context.service().messages.broadcast(text)
    context.terminal.print(context.isJson ? JSON.stringify(answer) : `sent to ${answer.recipients} connections`)
  },
}

export const messageCommands: readonly Command[] = [list, send, read, broadcast]

async function* openedMessages(
  messages: ServiceClient['messages'],
  connectionId: string,
  key: ServiceKey | null,
): AsyncGenerator<MessageRecord | (MessageRecord & { readonly text: string | null }), void, undefined> {
  for await (const message of messages.list(connectionId)) {
    yield key === null ? message : { ...message, text: await messages.open(message, key) }
  }
}
