import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundledPrograms, COMPILE_CACHE } from '@sealpost/testkit'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')
/** Inside the repository, so that programs resolve the packages they import. */
const SCRATCH = join(ROOT, '.vitest')

export interface Guide {
  /** The names of all code blocks of the guide. */
  readonly names: readonly string[]
  /** The working directory of all programs: a program can read files of an earlier one. */
  readonly folder: string
  /** Runs a program of the guide and returns its output. */
  run(name: string, variables: Readonly<Record<string, string>>): Promise<string>
  /** For programs that run until they are stopped. */
  start(name: string, variables: Readonly<Record<string, string>>): RunningProgram
  close(): void
}

export interface RunningProgram {
  /** The output so far, errors included. */
  printed(): string
  /** Sends SIGTERM and returns the whole output. */
  stop(): Promise<string>
}

/** Closes what was opened when the test file ends, as a world does. */
interface Owner {
  onEnd(free: () => Promise<void>): void
}

/** The programs of a guide: code blocks whose fence has a language and a name. Without an owner the caller closes it. */
export async function openGuide(file: string, owner?: Owner): Promise<Guide> {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const blocks = new Map(
    [...text.matchAll(/^```(js|sh) ([\w-]+)\n(.+?)^```$/gms)].map(([, language = '', name = '', program = '']) => [
      name,
      { language, program },
    ]),
  )
  mkdirSync(SCRATCH, { recursive: true })
  const folder = mkdtempSync(join(SCRATCH, 'guide-'))
  const commands = installInto(folder, await bundledPrograms())
  const write = (name: string, variables: Readonly<Record<string, string>>) => {
    const { language, program } = blocks.get(name) ?? missing(file, name)
    const path = join(folder, `${name}.${language === 'js' ? 'mjs' : 'sh'}`)
    writeFileSync(path, program)
    const PATH = `${commands}:${process.env['PATH'] ?? ''}`
    const env = { PATH, HOME: folder, NODE_COMPILE_CACHE: COMPILE_CACHE, ...variables }
    return [language === 'js' ? process.execPath : '/bin/sh', [path], { env, cwd: folder }] as const
  }
  const close = (): void => rmSync(folder, { recursive: true, force: true })
  owner?.onEnd(() => Promise.resolve(close()))
  return {
    names: [...blocks.keys()],
    folder,
    async run(name, variables) {
      const { stdout } = await run(...write(name, variables))
      return stdout.trim()
    },
    start: (name, variables) => watch(...write(name, variables)),
    close,
  }
}

/** The packages and the command, as a company has them: without sources. Returns the folder of the command. */
function installInto(folder: string, programs: string): string {
  const commands = join(folder, 'node_modules/.bin')
  mkdirSync(commands, { recursive: true })
  for (const name of ['sdk', 'plugin-kit']) {
    const place = join(folder, 'node_modules/@sealpost', name)
    mkdirSync(place, { recursive: true })
    symlinkSync(join(programs, name), join(place, 'dist'))
    const exports = { '.': './dist/index.js', './*': './dist/*.js' }
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name: `@sealpost/${name}`, type: 'module', exports }))
  }
  const script = `#!/bin/sh\nexec '${process.execPath}' '${join(programs, 'command/sealpost.js')}' "$@"\n`
  writeFileSync(join(commands, 'sealpost'), script, { mode: 0o755 })
  return commands
}

function watch(command: string, args: readonly string[], options: { readonly env: object; readonly cwd: string }) {
  const child = spawn(command, args, { ...options, env: { ...options.env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  const gone = once(child, 'exit')
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (printed += text.toString()))
  return {
    printed: () => printed,
    async stop() {
      child.kill('SIGTERM')
      await gone
      return printed.trim()
    },
  }
}

function missing(file: string, name: string): never {
  throw new Error(`${file} has no program named ${name}`)
}
