import type { ReadyEngine } from './engine.ts'

const ORIGINS = {
  given: 'given by the environment',
  found: 'found on this machine',
  running: 'running since an earlier start',
  started: 'started',
} satisfies Record<ReadyEngine['origin'], string>

/** A table: which engines there are, and where each comes from. */
export function describeEngines(ready: readonly ReadyEngine[]): readonly string[] {
  const rows = ready.map(({ engine, url, origin, seconds }) => {
    const how = origin === 'started' ? `${ORIGINS[origin]} in ${seconds.toFixed(1)} s` : ORIGINS[origin]
    return [engine, withoutPassword(url), how] as const
  })
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
  return rows.map(([engine, url, how]) => `  ${engine.padEnd(width(0))}  ${url.padEnd(width(1))}  ${how}`)
}

function withoutPassword(url: string): string {
  return url.replaceAll(/:\/\/([^:@/]*):[^@/]*@/g, '://$1@')
}
