import type { Served } from './exchange.ts'
import type { Call } from './gates.ts'

/** A part of the way of a request. It throws to refuse, and returns a promise only if it has to wait for something. */
export type Step = (exchange: Served) => void | Promise<void>

/** See `methodStep`; `call` names the operation with the method that was used. */
export type MethodStep = (call: Call) => void | Promise<void>

/** Uses a value now if it is there, else when it has come. */
export function whenSettled<T>(value: T | Promise<T>, use: (settled: T) => void | Promise<void>): void | Promise<void> {
  return isPromise(value) ? value.then(use) : use(value)
}

/** By its method, not by its class: a promise of another library taken for a caller would be a caller nobody checked. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Runs the steps in order and answers a promise only if one of them did: waiting for nothing costs a turn each. */
export function runSteps(steps: readonly Step[], exchange: Served, from = 0): void | Promise<void> {
  for (let index = from; index < steps.length; index += 1) {
    const pending = steps[index]?.(exchange)
    if (pending !== undefined && isPromise(pending)) return pending.then(() => runSteps(steps, exchange, index + 1))
  }
}
