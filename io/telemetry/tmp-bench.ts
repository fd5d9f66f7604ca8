import { openLog } from './src/log.ts'
import fs from 'node:fs'
async function cpu(name: string, n: number, f: (i: number) => unknown) {
  const r = []
  for (const warm of [true, false, false, false, false]) {
    const N = warm ? n/2 : n
    const c = process.cpuUsage()
    for (let i=0;i<N;i++) { f(i); if (i % 10 === 0) await new Promise(setImmediate) }
    const d = process.cpuUsage(c)
    if (!warm) r.push(((d.user+d.system)*1000/N).toFixed(0))
  }
    console.error(name, r.join(' '), 'ns')
}
const line = (i: number) => ({ request_id: '0190a0a0-aaaa-7aaa-8aaa-aaaaaaaaa' + (i%899+100), method: 'GET', route: '/api/whoami', status: 200, ms: 1.25, caller: 'svc_abcdefghijklmnopqrstuvwx' })
const clock = { now: () => Date.now() as any }
const mk = (destination: any) => openLog({ level: 'info', base: { service: 'x', version: '1', instance: 'i' }, clock, currentTraceId: () => null, destination })
let n = 0
const l = mk({ write(s: string) { n += s.length }, flush() {} })
await cpu('null', 1e5, (i) => l.info(line(i), 'request'))
for (const size of [16384, 65536]) {
const fd = fs.openSync('/tmp/tb/z', 'a')
let buf = Buffer.allocUnsafe(size), off = 0
const l1 = mk({ write(s: string) { if (off + s.length * 3 > size) { fs.write(fd, buf, 0, off, null, () => {}); buf = Buffer.allocUnsafe(size); off = 0 } off += buf.write(s, off) }, flush() {} })
await cpu('buffer.write ' + size, 1e5, (i) => l1.info(line(i), 'request'))
const two = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)]; let cur = 0, o2 = 0
const l2 = mk({ write(s: string) { if (o2 + s.length * 3 > size) { fs.write(fd, two[cur]!, 0, o2, null, () => {}); cur ^= 1; o2 = 0 } o2 += two[cur]!.write(s, o2) }, flush() {} })
await cpu('buffer.write 2 ' + size, 1e5, (i) => l2.info(line(i), 'request'))
let arr: string[] = [], len = 0
const l3 = mk({ write(s: string) { Buffer.byteLength(s); arr.push(s); len += s.length; if (len > size) { fs.write(fd, Buffer.from(arr.join('')), () => {}); arr = []; len = 0 } }, flush() {} })
await cpu('flatten+array ' + size, 1e5, (i) => l3.info(line(i), 'request'))
let str = ''
const l4 = mk({ write(s: string) { str += s; if (str.length > size) { fs.write(fd, str, () => {}); str = '' } }, flush() {} })
await cpu('concat ' + size, 1e5, (i) => l4.info(line(i), 'request'))
}
process.exit()
