import { commandsOf } from '@sealpost/web-app'
import type { SessionCommands } from './worker/commands/index.ts'

/** What pages of the session read again; the topics of an app have these among them. */
export type SessionTopic = 'session' | 'devices'

export const { call, useRead } = commandsOf<SessionCommands, SessionTopic>()
