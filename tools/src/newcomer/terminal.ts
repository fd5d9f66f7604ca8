import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A shell of a newcomer: a folder, an empty home, and nothing of the checkout that runs this. */
export interface Shell {
  folder: string
  readonly environment: Readonly<Record<string, string>>
}

export interface Started {
  /** Resolves with the first line that contains the text; rejects when the command ends before. */
  waitFor(text: string): Promise<string>
  stop(): Promise<void>
}

/** Runs a command to its end, prints what it prints, and answers that. `cd` changes the folder of the shell. */
export async function type(shell: Shell, command: string): Promise<string> {
  console.log(`$ ${command}`)
  const [, target] = /^cd (\S+)$/.exec(command) ?? []
  const line = target === undefined ? command : `cd ${target} >/dev/null && pwd`
  const child = spawnIn(shell, line)
  const lines: string[] = []
  for await (const text of createInterface({ input: child.stdout })) lines.push(text)
  if (child.exitCode === null) await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`${command} ended with exit code ${child.exitCode}:\n${lines.join('\n')}`)
  if (target === undefined) for (const text of lines.slice(-20)) console.log(`  ${text}`)
  else shell.folder = lines.at(-1) ?? ''
  return lines.join('\n')
}

/** Starts a command that keeps running. */
export function start(shell: Shell, command: string): Started {
  console.log(`$ ${command}`)
  const child = spawnIn(shell, command)
  const printed: string[] = []
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit')
  lines.on('line', (line) => printed.push(line))
  return {
    async waitFor(text) {
      const found = new Promise<string>((resolve) => {
        lines.on('line', (line) => {
          if (line.includes(text)) resolve(line)
        })
      })
      const failed = ended.then(() => {
        throw new Error(`${command} ended before it printed "${text}":\n${printed.slice(-40).join('\n')}`)
      })
      return Promise.race([found, failed])
    },
    async stop() {
      // The whole group: npm does not hand a signal on to what it has started.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT')
      await ended
    },
  }
}

function spawnIn({ folder, environment }: Shell, command: string) {
  return spawn('sh', ['-c', `exec 2>&1; ${command}`], {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
