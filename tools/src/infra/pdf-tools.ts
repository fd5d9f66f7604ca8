import { runCommand } from '@sealpost/testkit/engines'
import type { EnginePlan } from './engine.ts'
import { hasProgram } from './packages.ts'

/** Programs of others that check sealed PDFs in live tests, and the packages that have them. */
const PROGRAMS = { pdfsig: 'poppler-utils', qpdf: 'qpdf', openssl: 'openssl' } as const

/** Nothing keeps running: each test starts the program it needs. */
export function planPdfTools(): EnginePlan {
  return {
    daemon: 'pdf-tools',
    wellKnownUrl: Object.keys(PROGRAMS).join(' '),
    answers: async (programs) => programs.split(' ').every(hasProgram),
    packages: Object.values(PROGRAMS),
    start: tryPrograms,
  }
}

async function tryPrograms(): Promise<string> {
  await runCommand({ file: 'qpdf', args: ['--version'] })
  return Object.keys(PROGRAMS).join(' ')
}
