import { runCommand } from '@sealpost/testkit/engines'
import type { EnginePlan } from './engine.ts'

const DEBIAN_PYTHON = '/usr/bin/python3'

/** Runs the Python example in live tests. */
export function planPython(): EnginePlan {
  return {
    daemon: 'python',
    wellKnownUrl: DEBIAN_PYTHON,
    answers: (program) =>
      hasCryptography(program).then(
        () => true,
        () => false,
      ),
    packages: ['python3-cryptography'],
    async start() {
      await hasCryptography(DEBIAN_PYTHON)
      return DEBIAN_PYTHON
    },
  }
}

async function hasCryptography(program: string): Promise<void> {
  await runCommand({ file: program, args: ['-c', 'import cryptography'] })
}
