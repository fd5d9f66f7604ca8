import { rewrapShared } from '../../modules/grants/index.ts'
import { rewrapAll } from '../../modules/login/index.ts'
import { rewrapPlugins } from '../../modules/plugins/index.ts'
import { rewrapWebhooks } from '../../modules/webhooks/index.ts'
import { type OperatorCommand, UsageError } from './command.ts'

/** After a new first key in `SECRET_PEPPER` or `DATA_KEY`: once this has answered, the second key can be removed. */
export const rewrapKeys: OperatorCommand = {
  takes: '',
  about:
    'seals credentials, second factors, waiting mails, shared claims, secrets of webhooks and tokens of plugins anew under ' +
    'the first keys of SECRET_PEPPER and DATA_KEY',
  async run({ platform }, args, report) {
    if (args.length > 0) throw new UsageError('it takes nothing')
    const { credentials, factors, mails } = await rewrapAll(platform, report)
    const claims = await rewrapShared(platform)
    const webhooks = await rewrapWebhooks(platform)
    const plugins = await rewrapPlugins(platform)
    const done =
      `rewrapped: ${credentials} credentials, ${factors} second factors, ${mails} waiting mails, ${claims} shared claims, ` +
      `${webhooks.moved} webhooks, ${plugins.moved} plugins`
    const unreadable = [
      ...webhooks.unreadable.map(({ webhookId, reason }) => `webhook ${webhookId}: ${reason}`),
      ...plugins.unreadable.map(({ pluginId, reason }) => `plugin ${pluginId}: ${reason}`),
    ]
    if (unreadable.length === 0) return done
    for (const line of unreadable) report(line)
    throw new Error(
      `${done}; the secrets of ${unreadable.length} webhooks and plugins could not be opened and were left as they are`,
    )
  },
}
