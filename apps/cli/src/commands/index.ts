import type { Command } from '../command.ts'
import { changesCommand } from './changes.ts'
import { connectionCommands } from './connections.ts'
import { requestFieldCommands } from './request-fields.ts'
import { serviceCommands } from './services.ts'

/** In the order of the help. */
export const commands: readonly Command[] = [
  ...serviceCommands,
  ...requestFieldCommands,
  ...connectionCommands,
  changesCommand,
]
