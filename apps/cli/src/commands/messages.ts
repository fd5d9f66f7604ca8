import type { Command } from '../command.ts'

const list: Command = {
  words: ['messages', 'list'],
  summary: 'List the messages of a connection, newest first',
  positionals: ['CONNECTION_ID'],
  options: { decrypt: { type: 'boolean', about: 'Decrypt the messages with the key file' } },
  async run(context, { positionals: [id = ''], flag }) {
    const { messages } = context.service()
    const key = flag('decrypt') ? await context.key() : null
    for await (const message of messages.list(id)) {
      const text = key === null ? null : await messages.open(message, key)
      if (context.isJson) {
        context.terminal.print(JSON.stringify(key === null ? message : { ...message, text }))
        continue
      }
      const { message_id: messageId, from, created_at: createdAt, read_at: readAt, broadcast } = message
      const sender = broadcast === true ? 'broadcast' : from
      const state = readAt === null ? '' : '  (read)'
      context.terminal.print(`${messageId}  ${createdAt}  ${sender}${state}  ${text ?? '(sealed)'}`)
    }
  },
}

const send: Command = {
  words: ['messages', 'send'],
  summary: 'Write to the customer of a connection',
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
  positionals: ['TEXT'],
  options: {},
  async run(context, { positionals: [text = ''] }) {
    const answer = await context.service().messages.broadcast(text)
    context.terminal.print(context.isJson ? JSON.stringify(answer) : `sent to ${answer.recipients} connections`)
  },
}

export const messageCommands: readonly Command[] = [list, send, read, broadcast]
