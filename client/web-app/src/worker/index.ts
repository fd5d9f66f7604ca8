export type { Outcome, Request, Settings } from '../link/messages.ts'
export { workerFailure } from './failure-of.ts'
export { refuseHere } from './refuse-here.ts'
export { runCommand } from './run-command.ts'
