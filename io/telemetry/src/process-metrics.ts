import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'

const NS_PER_SECOND = 1e9
const US_PER_SECOND = 1e6
const SAMPLED_EVERY_MS = 20

/** Registers the metrics of the process itself; the returned function stops the measuring. */
export function observeProcess(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: SAMPLED_EVERY_MS })
  delay.enable()
  // The histogram counts the sampling interval itself as delay.
  const delaySeconds = (ns: number): number => Math.max(0, ns / NS_PER_SECOND - SAMPLED_EVERY_MS / 1_000)

  metrics.observe('process_cpu_user_seconds', 'CPU time of the process in user mode', () => cpu().user, {}, true)
  metrics.observe('process_cpu_system_seconds', 'CPU time of the process in the kernel', () => cpu().system, {}, true)
  metrics.observe('process_resident_memory_bytes', 'Memory held by the process', () => process.memoryUsage.rss())
  metrics.observe('process_heap_used_bytes', 'Objects on the JavaScript heap', () => process.memoryUsage().heapUsed)
  metrics.observe('process_uptime_seconds', 'Time since the process started', () => process.uptime())
  metrics.observe('event_loop_delay_p50_seconds', 'Median delay of the event loop since the last scrape', () =>
    delaySeconds(delay.percentile(50)),
  )
  metrics.observe('event_loop_delay_p99_seconds', '99th percentile of the same', () =>
    delaySeconds(delay.percentile(99)),
  )
  metrics.observe('event_loop_delay_max_seconds', 'Longest delay since the last scrape', () => {
    const longest = delaySeconds(delay.max)
    delay.reset()
    return longest
  })
  metrics.observe(
    'event_loop_busy_ratio',
    'Share of the time since start that the event loop was busy',
    () => performance.eventLoopUtilization().utilization,
  )
  return () => void delay.disable()
}

function cpu(): { user: number; system: number } {
  const { user, system } = process.cpuUsage()
  return { user: user / US_PER_SECOND, system: system / US_PER_SECOND }
}
