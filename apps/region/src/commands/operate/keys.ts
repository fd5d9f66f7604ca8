import { rewrapShared } from '../../modules/grants/index.ts'
import { rewrapAll } from '../../modules/login/index.ts'
import { rewrapWebhooks } from '../../modules/webhooks/index.ts'
import { type OperatorCommand, UsageError } from './command.ts'

/** After a new first key in `SECRET_PEPPER` or `DATA_KEY`: once this has answered, the second key can be removed. */
export const rewrapKeys: OperatorCommand = {
  takes: '',
  about:
    'seals credentials, second factors, waiting mails, shared claims and secrets of webhooks anew under the first keys of ' +
    'SECRET_PEPPER and DATA_KEY',
  async run({ platform }, args, report) {
    if (args.length > 0) throw new UsageError('it takes nothing')
    const { credentials, factors, mails } = await rewrapAll(platform, report)
    const claims = await rewrapShared(platform)
    const { moved: webhooks, unreadable } = await rewrapWebhooks(platform)
    const done =
      `rewrapped: ${credentials} credentials, ${factors} second factors, ${mails} waiting mails, ${claims} shared claims, ` +
      `${webhooks} webhooks`
    if (unreadable.length === 0) return done
    for (const { webhookId, reason } of unreadable) report(`webhook ${webhookId}: ${reason}`)
    throw new Error(
      `${done}; the secrets of ${unreadable.length} webhooks could not be opened and were left as they are`,
    )
  },
}
