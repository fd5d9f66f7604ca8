import { expect } from 'vitest'
import type { VectorCase } from './vector-case.ts'

/** The assertion of a vector's test: the case runs without a complaint. */
export async function passes({ run }: Pick<VectorCase, 'run'>): Promise<void> {
  await expect(Promise.resolve().then(run)).resolves.toBeUndefined()
}
