import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOCAL_FOLDER } from '@sealpost/testkit/engines'
import { localFolder } from './local-folder.ts'

const LINES_SHOWN = 15

/** Says which daemon failed and how, with the end of its log, and what to do. */
export class DaemonFailure extends Error {
  constructor(daemon: string, what: string, options?: ErrorOptions) {
    super([`${daemon} ${what}. ${endOfLog(daemon)}`, ...ADVICE].join('\n'), options)
  }
}

const ADVICE = [
  '`./run npm run infra -- down` stops all engines of this checkout, and `./run npm run infra` starts them again.',
  `If it fails again, delete ${LOCAL_FOLDER} after \`down\`: all engines begin without data.`,
]

export function logFile(daemon: string): string {
  return join(localFolder('log'), `${daemon}.log`)
}

function endOfLog(daemon: string): string {
  const file = logFile(daemon)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const last = lines.filter((line) => line.trim() !== '').slice(-LINES_SHOWN)
  return last.length === 0 ? `Its log ${file} is empty.` : [`Its log ${file} ends with:`, ...last].join('\n    ')
}
