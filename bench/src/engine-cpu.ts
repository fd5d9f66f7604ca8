import { createConnection } from 'node:net'
import { Client } from 'pg'
import { cpuMicroseconds } from './cpu.ts'

/** CPU time of the PostgreSQL backends that serve one app. */
export interface BackendMeter {
  microseconds(): Promise<number>
  close(): Promise<void>
}

/** The server must run on this machine: its CPU time is read from /proc. */
export async function meterBackends(databaseUrl: string, applicationName: string): Promise<BackendMeter> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'bench-meter' })
  await client.connect()
  const used = new Map<number, number>()
  return {
    async microseconds() {
      const { rows } = await client.query<{ pid: number }>(
        'select pid from pg_stat_activity where application_name = $1 and datname = current_database()',
        [applicationName],
      )
      for (const { pid } of rows) used.set(pid, usedBy(pid) ?? used.get(pid) ?? 0)
      // A backend that has exited keeps its last value.
      return [...used.values()].reduce((sum, one) => sum + one, 0)
    },
    close: () => client.end(),
  }
}

/** Null when the process has exited since it was listed. */
function usedBy(pid: number): number | null {
  try {
    return cpuMicroseconds(pid)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** CPU time that a Redis server reports, in microseconds. */
export async function redisMicroseconds(url: string): Promise<number> {
  const info = await readInfo(url)
  return 1e6 * (numberAfter(info, 'used_cpu_sys:') + numberAfter(info, 'used_cpu_user:'))
}

function readInfo(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = createConnection({ host: hostname, port: Number(port) }, () => socket.write('INFO CPU\r\nQUIT\r\n'))
  let info = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    info += chunk
  })
  socket.once('error', reject)
  socket.once('close', () => resolve(info))
  return promise
}

function numberAfter(text: string, label: string): number {
  const at = text.indexOf(label)
  if (at < 0) throw new Error(`no ${label} in the answer of Redis`)
  return Number.parseFloat(text.slice(at + label.length))
}
