import { claimPort, type Command, isPortFree, type ReservedPort } from '@sealpost/testkit/engines'
import { startDaemon, stopDaemon, waitForDaemon } from './processes.ts'

const PORTS_TRIED = 100
/** Programs that are not ours claim no ports, so one may be taken before the daemon listens. */
export const START_TRIES = 3

export interface PortPlan {
  readonly daemon: string
  readonly preferredPort: number
  readonly urlAt: (port: number) => string
  readonly commandAt: (port: number) => Command | Promise<Command>
  readonly answers: (url: string) => Promise<boolean>
}

/** Starts a daemon at the first port that it can have; resolves with its address when it answers. */
export async function startAtPort(plan: PortPlan, tries = START_TRIES): Promise<string> {
  const { daemon } = plan
  const { port, release } = await claimFirstPort(plan.preferredPort)
  try {
    startDaemon(daemon, plan.urlAt(port), await plan.commandAt(port))
    return await waitForDaemon(daemon, plan.answers)
  } catch (error) {
    await stopDaemon(daemon)
    if (tries === 1 || (await isPortFree(port))) throw error
    console.log(`  ${daemon}: another process has taken port ${port}; the next free one is tried`)
  } finally {
    release()
  }
  return startAtPort(plan, tries - 1)
}

/** The first port from `preferred` on that is free and claimed by no other checkout; until it is released, it is ours. */
export async function claimFirstPort(preferred: number): Promise<ReservedPort> {
  for (let port = preferred; port < preferred + PORTS_TRIED; port += 1) {
    const claimed = await claimPort(port)
    if (claimed !== null) return claimed
  }
  throw new Error(`no free port from ${preferred} to ${preferred + PORTS_TRIED - 1}`)
}
