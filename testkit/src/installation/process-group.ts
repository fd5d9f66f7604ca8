import type { AppProcess } from './app-process.ts'
import { type Balancer, openBalancer } from './balancer.ts'

/** Several processes of one app behind one address, handled as one. */
export function groupOf(name: string, port: number, members: readonly AppProcess[]): AppProcess {
  const [first] = members
  if (first === undefined) throw new Error(`${name} has no process`)
  let balancer: Balancer | null = null
  const end = async (act: (member: AppProcess) => Promise<void>): Promise<void> => {
    await Promise.all(members.map(act))
    await balancer?.close()
    balancer = null
  }
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    internalUrl: first.internalUrl,
    pid: () => first.pid(),
    environment: () => first.environment(),
    async start(changed) {
      await Promise.all(members.map((member) => member.start(changed)))
      balancer ??= await openBalancer(port, members)
    },
    stop: () => end((member) => member.stop()),
    kill: () => end((member) => member.kill()),
    tail: () => members.map((member) => `${member.name}\n${member.tail()}`).join('\n'),
  }
}
