import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Runs when the test ends that is running; at the top of a file, when the file ends. */
export function atEnd(close: () => Promise<void>): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(close)
  else onTestFinished(close)
}
