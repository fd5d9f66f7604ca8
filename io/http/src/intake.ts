import type { IncomingMessage } from 'node:http'

/** How fast a process reads the bodies of one caller. */
export interface IntakeLimits {
  /** Read as fast as they arrive. */
  readonly burstBytes: number
  readonly bytesPerSecond: number
}

const MIB = 1_048_576
export const INTAKE_LIMITS: IntakeLimits = { burstBytes: 64 * MIB, bytesPerSecond: 16 * MIB }

/** The bytes that a server reads, by caller. */
export interface Intake {
  /** Counts bytes that were read; for so many milliseconds no more of this caller are to be read. */
  take(caller: string, bytes: number): number
}

interface Account {
  /** Bytes that are not yet worked off at the steady rate. */
  bytes: number
  atMs: number
}

/** Accounts that are worked off are removed after so many reads. */
const SWEEP_AFTER = 4_096

/**
 * [Note: intake] Budgets limit how many bytes of a caller are in memory, not how many pass through: a caller whose bodies
 * are refused can send the next ones at once, and to read and discard a gigabyte a second takes the event loop from
 * everyone else. So a process reads the bodies of one caller at a steady rate after the first ones, refused ones too; TCP
 * makes the caller wait.
 */
export function openIntake(limits: IntakeLimits, nowMs: () => number = () => performance.now()): Intake {
  const { burstBytes, bytesPerSecond } = limits
  const accounts = new Map<string, Account>()
  let reads = 0
  const settle = (account: Account, atMs: number): void => {
    account.bytes = Math.max(0, account.bytes - ((atMs - account.atMs) * bytesPerSecond) / 1000)
    account.atMs = atMs
  }
  const sweep = (atMs: number): void => {
    for (const [caller, account] of accounts) {
      settle(account, atMs)
      if (account.bytes === 0) accounts.delete(caller)
    }
  }
  return {
    take(caller, bytes) {
      const atMs = nowMs()
      reads = (reads + 1) % SWEEP_AFTER
      if (reads === 0) sweep(atMs)
      const account = accounts.get(caller) ?? { bytes: 0, atMs }
      accounts.set(caller, account)
      settle(account, atMs)
      account.bytes += bytes
      return Math.max(0, Math.ceil(((account.bytes - burstBytes) * 1000) / bytesPerSecond))
    },
  }
}

/** Makes a body wait for its caller's turn. */
export function paceBody(raw: IncomingMessage, waitMs: number): void {
  if (waitMs <= 0) return
  raw.pause()
  setTimeout(() => raw.resume(), waitMs).unref()
}

/** Smaller ones are discarded as fast as they arrive. */
const SMALL_BYTES = 65_536

/** Reads the rest of a refused body at the pace of its caller: one that is still sent hides the answer. */
export function discardBody(raw: IncomingMessage, onRead: (bytes: number) => number): void {
  if (raw.complete || raw.destroyed) return
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  const isSmall = encoding === undefined && Number(length ?? 0) <= SMALL_BYTES
  raw.on('error', () => {})
  if (!isSmall) raw.on('data', (chunk: Buffer) => paceBody(raw, onRead(chunk.length)))
  raw.resume()
}
