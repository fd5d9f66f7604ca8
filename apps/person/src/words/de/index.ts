import type { Words } from '../en/index.ts'
import { approvals } from './approvals.ts'
import { camera } from './camera.ts'
import { connections } from './connections.ts'
import { consent } from './consent.ts'
import { data } from './data.ts'
import { flowRefusals, flows } from './flows.ts'
import { home } from './home.ts'
import { messages } from './messages.ts'
import { papers } from './papers.ts'
import { settings } from './settings.ts'
import { refusals as shellRefusals, shell } from './shell.ts'
import { start } from './start.ts'

const refusals = { ...shellRefusals, ...flowRefusals }

export const words: Words = {
  shell,
  refusals,
  start,
  home,
  data,
  camera,
  connections,
  consent,
  approvals,
  papers,
  messages,
  flows,
  settings,
}
