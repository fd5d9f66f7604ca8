import type { Command } from '../command.ts'

export const inviteCommand: Command = {
  words: ['invite'],
  summary: 'Invite a person to connect with the service, by their share code',
  json: 'document',
  about: 'The answer of the person is in the feed: connection_request_accepted or connection_request_rejected.',
  positionals: ['SHARE_CODE'],
  options: { message: { type: 'string', value: 'TEXT', about: 'Shown to the person unchanged; not sealed' } },
  async run({ service, terminal, isJson }, { positionals: [code = ''], text }) {
    const message = text('message')
    const request = await service().connectRequests.create({
      share_code: code,
      ...(message === null ? {} : { message }),
    })
    terminal.print(isJson ? JSON.stringify(request) : request.request_id)
  },
}
