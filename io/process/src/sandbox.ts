import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'

/**
 * [Note: a sandbox reads no secret] A process of the same user can read the settings of the region in
 * `/proc/<pid>/environ`, and it can reach the engines. So a decoder of untrusted files runs as another user where the
 * region is root, and in namespaces of its own (processes, network, mounts) where the system allows it: `unshare` of util-linux makes them
 * without privileges. Node's permission model holds in every case, but only against JavaScript.
 */
export type Layer = 'user' | 'namespace'

/** How a program is started behind the given layers. */
export interface Sandbox {
  readonly layers: readonly Layer[]
  start(command: string, args: readonly string[], options: SpawnOptions): ReturnType<typeof spawn>
}

/** The user without rights of every usual distribution. */
const OTHER_USER = { uid: 65_534, gid: 65_534 }
const UNSHARE = '/usr/bin/unshare'
const OWN_NAMESPACES = ['--user', '--pid', '--net', '--ipc', '--mount-proc', '--fork', '--kill-child=KILL', '--']

export function createSandbox(layers: readonly Layer[]): Sandbox {
  const user = layers.includes('user') ? OTHER_USER : {}
  return {
    layers,
    start: (command, args, options) =>
      layers.includes('namespace')
        ? spawn(UNSHARE, [...OWN_NAMESPACES, command, ...args], { ...options, ...user })
        : spawn(command, args, { ...options, ...user }),
  }
}

/** The strongest sandbox in which the program runs; the one without layers if none of them can be had. */
export async function findSandbox(command: string, args: readonly string[]): Promise<Sandbox> {
  const user: readonly Layer[] = process.getuid?.() === 0 ? ['user'] : []
  for (const layers of [[...user, 'namespace'], user] satisfies readonly (readonly Layer[])[]) {
    const sandbox = createSandbox(layers)
    if (layers.length > 0 && (await runsIn(sandbox, command, args))) return sandbox
  }
  return createSandbox([])
}

async function runsIn(sandbox: Sandbox, command: string, args: readonly string[]): Promise<boolean> {
  const child = sandbox.start(command, args, { env: {}, stdio: 'ignore' })
  try {
    await once(child, 'exit')
    return child.exitCode === 0
  } catch {
    // `unshare` is not installed.
    return false
  }
}

/**
 * Flags of a Node that may read these folders and nothing else. It has no compile cache: Node refuses one that it may not
 * write to, and a child that could write there could change the code of the next one.
 */
export function flagsReading(folders: readonly string[]): readonly string[] {
  return ['--permission', ...folders.map((folder) => `--allow-fs-read=${folder}`)]
}
