import type { Command } from '../command.ts'
import { accountCommands } from './account.ts'
import { approveCommand } from './approve.ts'
import { changesCommands } from './changes.ts'
import { completionOf } from './completion.ts'
import { connectionCommands } from './connections.ts'
import { doctorCommand } from './doctor.ts'
import { documentCommands } from './documents.ts'
import { flowCommands } from './flows.ts'
import { initCommand } from './init.ts'
import { inviteCommand } from './invite.ts'
import { listenCommand } from './listen.ts'
import { loginCommands } from './login.ts'
import { messageCommands } from './messages.ts'
import { openCommand } from './open.ts'
import { pluginCommands } from './plugin.ts'
import { requestFieldCommands } from './request-fields.ts'
import { serviceCommands } from './services.ts'
import { triggerCommand } from './trigger.ts'
import { typeCommands } from './types.ts'
import { verifyCommand } from './verify.ts'
import { webhookCommands } from './webhooks.ts'

const own: readonly Command[] = [
  initCommand,
  doctorCommand,
  ...loginCommands,
  ...serviceCommands,
  ...accountCommands,
  ...requestFieldCommands,
  ...typeCommands,
  ...connectionCommands,
  ...messageCommands,
  approveCommand,
  inviteCommand,
  ...changesCommands,
  openCommand,
  ...webhookCommands,
  ...documentCommands,
  ...flowCommands,
  ...pluginCommands,
  verifyCommand,
  listenCommand,
  triggerCommand,
]

/** In the order of the help. */
export const commands: readonly Command[] = [...own, completionOf(own)]
