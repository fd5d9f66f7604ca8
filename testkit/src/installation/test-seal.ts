import { makeSeal, type TestSeal } from '@sealpost/pdf/testing'

let made: TestSeal | null = null

/** The certificate with which installations of this process seal PDFs, and its root. */
export function testSeal(): TestSeal {
  made ??= makeSeal()
  return made
}
