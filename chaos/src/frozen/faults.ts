import { askRedis, GARBAGE, NO_FAULT, S3_ERROR, type Fault as WireFault } from '@sealpost/testkit'
import type { SmallDisk } from '../small-disk.ts'
import type { CallName } from './calls.ts'
import type { Placed, Site } from './site.ts'

/** One way in which one engine fails without dying. */
export interface Fault {
  readonly name: string
  begin(): Promise<void>
  end(): Promise<void>
  /** The calls of which some must be refused while it lasts; empty if all calls go on. */
  readonly refuses: readonly CallName[]
}

/** Left out of the small size: their kind is there with another engine, or they take long to be noticed. */
const FULL_SIZE_ONLY = new Set(['directory PostgreSQL slow', 'Redis slow', 'NATS slow', 'NATS answers garbage'])

export function chooseFaults(site: Site, isSmall: boolean): readonly Fault[] {
  return listFaults(site).filter(({ name }) => !isSmall || !FULL_SIZE_ONLY.has(name))
}

const S3_FULL = 'HTTP/1.1 507 Insufficient Storage\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
const SLOW: WireFault = { kind: 'slow', delayMs: 40 }

function listFaults(site: Site): readonly Fault[] {
  const { region, directory, redis, nats, s3, disk } = site
  return [
    frozen('region PostgreSQL', region, ['rename']),
    ...(disk === null ? [] : [fullDisk(disk)]),
    onWire('region PostgreSQL slow', region, SLOW, []),
    onWire('region PostgreSQL resets', region, { kind: 'reset' }, ['rename', 'create']),
    frozen('directory PostgreSQL', directory, ['token']),
    onWire('directory PostgreSQL slow', directory, SLOW, []),
    onWire('directory PostgreSQL resets', directory, { kind: 'reset' }, ['token']),
    frozen('Redis', redis, ['login']),
    fullRedis(redis),
    onWire('Redis slow', redis, SLOW, []),
    onWire('Redis answers garbage', redis, { kind: 'answering', bytes: GARBAGE }, ['login']),
    frozen('NATS', nats, ['login']),
    onWire('NATS slow', nats, SLOW, []),
    onWire('NATS resets', nats, { kind: 'reset' }, ['login']),
    onWire('NATS answers garbage', nats, { kind: 'answering', bytes: GARBAGE }, ['login']),
    frozen('S3', s3, ['file']),
    onWire('S3 full', s3, { kind: 'answering', bytes: S3_FULL }, ['file']),
    onWire('S3 slow', s3, SLOW, []),
    onWire('S3 answers 500', s3, { kind: 'answering', bytes: S3_ERROR }, ['file']),
  ]
}

/** SIGSTOP, where the engine is ours; otherwise its wire stands still. */
function frozen(name: string, { engine, proxy }: Placed, refuses: readonly CallName[]): Fault {
  return {
    name: `${name} frozen`,
    refuses,
    begin: async () => (engine === null ? proxy.turn({ kind: 'frozen' }) : engine.freeze()),
    end: async () => (engine === null ? proxy.turn(NO_FAULT) : engine.thaw()),
  }
}

function onWire(name: string, { proxy }: Placed, fault: WireFault, refuses: readonly CallName[]): Fault {
  return { name, refuses, begin: async () => proxy.turn(fault), end: async () => proxy.turn(NO_FAULT) }
}

function fullDisk(disk: SmallDisk): Fault {
  return {
    name: 'region PostgreSQL full',
    refuses: ['create'],
    begin: async () => disk.fill(),
    end: async () => disk.free(),
  }
}

/** Every command that needs memory is answered -OOM. */
function fullRedis({ engine }: Placed): Fault {
  const limit = async (bytes: number): Promise<void> =>
    void (await askRedis(engine?.url ?? '', `CONFIG SET maxmemory ${bytes}`))
  return { name: 'Redis full', refuses: ['login'], begin: () => limit(1), end: () => limit(0) }
}
