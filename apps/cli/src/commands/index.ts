import type { Command } from '../command.ts'
import { accountCommands } from './account.ts'
import { approveCommand } from './approve.ts'
import { changesCommand } from './changes.ts'
import { connectionCommands } from './connections.ts'
import { documentCommands } from './documents.ts'
import { flowCommands } from './flows.ts'
import { listenCommand } from './listen.ts'
import { messageCommands } from './messages.ts'
import { pluginCommands } from './plugin.ts'
import { requestFieldCommands } from './request-fields.ts'
import { serviceCommands } from './services.ts'
import { triggerCommand } from './trigger.ts'
import { verifyCommand } from './verify.ts'
import { webhookCommands } from './webhooks.ts'

/** In the order of the help. */
export const commands: readonly Command[] = [
  ...serviceCommands,
  ...accountCommands,
  ...requestFieldCommands,
  ...connectionCommands,
  ...messageCommands,
  approveCommand,
  changesCommand,
  ...webhookCommands,
  ...documentCommands,
  ...flowCommands,
  ...pluginCommands,
  verifyCommand,
  listenCommand,
  triggerCommand,
]
