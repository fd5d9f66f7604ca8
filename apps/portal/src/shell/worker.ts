import { commandsOf } from '@sealpost/web-app'
import type { commands } from '../worker/commands/index.ts'
import type { Topic } from '../worker/topic.ts'

export type Commands = typeof commands

export const { call, useRead } = commandsOf<Commands, Topic>()
export type CommandName = keyof Commands
