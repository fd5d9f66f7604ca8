import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { beginStream } from './hint-stream.ts'

/** A line `URL FILE` on stdin opens a stream with each token of the file and keeps it open; the answer is `open COUNT`. */
const AT_ONCE = 50

for await (const line of createInterface({ input: process.stdin })) {
  const [url = '', file = ''] = line.split(' ')
  const left = (await readFile(file, 'utf8')).split('\n').filter((token) => token !== '')
  let count = 0
  const worker = async (): Promise<void> => {
    for (let token = left.pop(); token !== undefined; token = left.pop()) {
      await open(url, token)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  process.stdout.write(`open ${count}\n`)
}

async function open(url: string, token: string): Promise<void> {
  const { answer } = await beginStream(url, token)
  answer.resume()
  answer.on('close', () => process.stderr.write('a stream of the crowd has ended\n'))
}
