import { spawn } from 'node:child_process'
import { once } from 'node:events'

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** False where no program opens addresses; the user then opens it by hand. */
export async function openBrowser(url: string): Promise<boolean> {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true })
  child.unref()
  try {
    await once(child, 'spawn')
    return true
  } catch {
    return false
  }
}
