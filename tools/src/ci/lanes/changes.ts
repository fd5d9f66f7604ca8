import { spawnSync } from 'node:child_process'
import { closureOf } from './closure.ts'
import type { ChangeSince } from './due.ts'
import type { Lane } from './table.ts'

/** Asks git which file of a lane's closure has changed since its last green run, also without a commit. */
export function changesIn(root: string, lanes: readonly Lane[]): ChangeSince {
  return (name, { commit }) => {
    const lane = lanes.find((each) => each.name === name)
    if (lane === undefined) return 'it is not in the table of lanes'
    if (git(root, ['cat-file', '-e', `${commit}^{commit}`]).status !== 0) return `${commit} is not in this clone`
    const { status, stdout } = git(root, ['diff', '--name-only', commit, '--', ...closureOf(root, lane.entries)])
    if (status !== 0) return `git cannot compare with ${commit}`
    const changed = stdout.split('\n').filter((file) => file !== '')
    return changed.length === 0 ? null : describe(changed, commit)
  }
}

export function headCommit(root: string): string {
  return git(root, ['rev-parse', 'HEAD']).stdout.trim()
}

/** Whether the files are those of the commit. */
export function isClean(root: string): boolean {
  const { status, stdout } = git(root, ['status', '--porcelain', '--untracked-files=no'])
  return status === 0 && stdout.trim() === ''
}

function describe([first = '', ...others]: readonly string[], commit: string): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${first}${more} changed since ${commit.slice(0, 8)}`
}

function git(root: string, args: readonly string[]) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}
