import type { Served } from './exchange.ts'
import type { Call } from './gates.ts'

/** A step in handling a request. It throws to refuse, and returns a promise only if it has to wait. */
export type Step = (exchange: Served) => void | Promise<void>

/** See `methodStep`; `call` names the operation with the method that was used. */
export type MethodStep = (call: Call) => void | Promise<void>

/** Uses a value at once if it is there, otherwise when its promise resolves. */
export function whenResolved<T>(
  value: T | Promise<T>,
  use: (resolved: T) => void | Promise<void>,
): void | Promise<void> {
  return isPromise(value) ? value.then(use) : use(value)
}

/**
 * Detected by its method, not by its class: a promise of another library mistaken for a caller would be an unchecked
 * caller.
 */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Runs the steps in order and returns a promise only if one of them did: each unnecessary await costs a turn. */
export function runSteps(steps: readonly Step[], exchange: Served, from = 0): void | Promise<void> {
  for (let index = from; index < steps.length; index += 1) {
    const pending = steps[index]?.(exchange)
    if (pending !== undefined && isPromise(pending)) return pending.then(() => runSteps(steps, exchange, index + 1))
  }
}
