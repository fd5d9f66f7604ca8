import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

export type Listener = 'none' | 'own' | 'foreign' | 'unknown'

/** Of the tables of the kernel: all addresses, and loopback, each also as an IPv4 address of an IPv6 socket. */
const ADDRESSES: ReadonlySet<string> = new Set([
  '00000000',
  '0100007F',
  '00000000000000000000000000000000',
  '0000000000000000FFFF00000100007F',
])
const LISTENS = '0A'

/** Whether the process itself listens at a port of loopback, or another one; `unknown` where the system does not say. */
export function listenerAt(port: number, pid: number): Listener {
  try {
    const listening = listeningSockets(port)
    if (listening.length === 0) return 'none'
    const own = new Set(socketsOf(pid))
    return listening.some((socket) => own.has(socket)) ? 'own' : 'foreign'
  } catch {
    return 'unknown'
  }
}

/** Their numbers. */
function listeningSockets(port: number): readonly string[] {
  const place = port.toString(16).toUpperCase().padStart(4, '0')
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].filter((table, index) => index === 0 || existsSync(table))
  return tables.flatMap((table) =>
    readFileSync(table, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, local = '', , state, , , , , , socket = ''] = line.trim().split(/\s+/)
        const [address = '', at] = local.split(':')
        return at === place && state === LISTENS && ADDRESSES.has(address) ? [socket] : []
      }),
  )
}

function socketsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).flatMap((file) => /^socket:\[(\d+)\]$/.exec(linkAt(`${folder}/${file}`))?.slice(1) ?? [])
}

/** Empty for a file that was closed in between. */
function linkAt(path: string): string {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
