import type { Log } from '@sealpost/telemetry'

export interface RenewalLoop {
  /** Renews now; a call during a renewal is answered by one that starts after it. */
  turn(): Promise<void>
  stop(): Promise<void>
}

export function startRenewalLoop(renew: () => Promise<void>, everyMs: number, log: Log): RenewalLoop {
  let running: Promise<void> | null = null
  let queued: Promise<void> | null = null
  let isStopped = false
  const timer = setInterval(() => void turn(), everyMs)
  timer.unref()

  async function once(): Promise<void> {
    try {
      await renew()
    } catch (error) {
      log.warn({ err: error }, 'the access guard could not renew its lease; clients are read at each call until it can')
    }
  }
  function start(): Promise<void> {
    running = once().finally(() => {
      running = null
    })
    return running
  }
  function turn(): Promise<void> {
    if (isStopped) return Promise.resolve()
    if (running === null) return start()
    queued ??= running.then(() => {
      queued = null
      return start()
    })
    return queued
  }
  return {
    turn,
    async stop() {
      clearInterval(timer)
      await (queued ?? running)
      isStopped = true
      await (queued ?? running)
    },
  }
}
