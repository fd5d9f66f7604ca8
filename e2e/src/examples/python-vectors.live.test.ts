import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { findPython } from './find-python.ts'

test('the Python module opens, refuses and checks what the vectors say', async () => {
  const words = ['-m', 'unittest', 'discover', join(ROOT, 'examples/python')]
  const env = { PYTHONDONTWRITEBYTECODE: '1' }
  const { stderr } = await promisify(execFile)(findPython(), words, { env })
  expect(stderr).toMatch(/^Ran 6 tests in .+\n\nOK/m)
})
