import { once, type Places } from '@sealpost/kernel'

/** Waits for a free place for a limited time; call the result when it is free again, a second call does nothing. */
export async function takeInTime(places: Places, waitMs: number, tooLate: () => Error): Promise<() => void> {
  const turn = places.take()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tooLate()), waitMs)
  try {
    await Promise.race([turn.granted, late.promise])
  } catch (error) {
    // False when the place was granted at that moment.
    if (turn.giveUp()) throw error
  } finally {
    clearTimeout(timer)
  }
  return once(() => places.put())
}
