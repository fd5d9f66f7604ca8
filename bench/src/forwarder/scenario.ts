import { hundredths, median, medianRatio, type Scenario } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { cpuMicroseconds } from '../cpu.ts'
import { sendLoad } from '../load.ts'
import { startTargets, type Target } from './targets.ts'

interface Size {
  readonly warmUp: number
  readonly calls: number
  readonly samples: number
}

const CONNECTIONS = 16

/**
 * The cost of a call to a plugin above the hop itself: CPU of a forwarder, with the pass, the shared limits, the checks of
 * address and reply, and the log line, against a bare proxy to the same TLS server.
 */
export const forwarderScenario: Scenario<Size> = {
  name: 'forwarder',
  about: 'CPU per call to a plugin against a bare TLS proxy doing the same hop',
  sizes: {
    small: { warmUp: 2000, calls: 1500, samples: 5 },
    full: { warmUp: 6000, calls: 10_000, samples: 25 },
  },
  bars: [{ figure: 'ratio', atMost: 2, small: 2.5 }],
  async run(context, { warmUp, calls, samples }) {
    const { ours, bare, body } = await startTargets(context)
    const send = async ({ url }: Target, requests: number): Promise<void> =>
      sendLoad({
        url,
        headers: { 'content-type': 'application/json' },
        requests,
        connections: CONNECTIONS,
        bodies: [await body()],
      })
    const measure = async (target: Target): Promise<number> => {
      const before = cpuMicroseconds(target.pid)
      await send(target, calls)
      return (cpuMicroseconds(target.pid) - before) / calls
    }
    context.progress('warming up')
    for (const target of [ours, bare]) await send(target, warmUp)
    const costs = await alternate(
      { bare: () => measure(bare), ours: () => measure(ours) },
      {
        samples,
        onSample: (number, sample) =>
          context.progress(
            `sample ${number} of ${samples}: ours ${sample.ours.toFixed(0)} µs, bare ${sample.bare.toFixed(0)} µs`,
          ),
      },
    )
    return {
      ratio: medianRatio(costs.ours, costs.bare),
      ours_us: hundredths(median(costs.ours)),
      bare_us: hundredths(median(costs.bare)),
    }
  },
}
