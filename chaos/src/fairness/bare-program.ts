import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { readPlan } from '../load-program.ts'
import type { BarePlan, BareReport } from './plan.ts'

/**
 * A server of one route on the same machine that the tenant at its limits never calls: it reads one row and commits. What
 * slows it is the machine, not the product.
 */
const plan = readPlan<BarePlan>()
const pool = new Pool({ connectionString: plan.databaseUrl, max: 4, application_name: 'chaos-bare' })
await pool.query('create schema if not exists chaos')
await pool.query('create table if not exists chaos.bare (id int primary key, number int not null)')
await pool.query('insert into chaos.bare values (1, 0) on conflict do nothing')

const READ = { name: 'read', text: 'select number from chaos.bare where id = 1' }
const WRITE = { name: 'write', text: 'update chaos.bare set number = number + 1 where id = 1 returning number' }

const server = createServer((request, response) => {
  pool.query<{ number: number }>(request.method === 'PUT' ? WRITE : READ).then(
    ({ rows }) => response.setHeader('content-type', 'application/json').end(JSON.stringify(rows)),
    () => response.writeHead(500).end(),
  )
})
server.listen(0, '127.0.0.1', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP
  const { port } = server.address() as AddressInfo
  const report: BareReport = { url: `http://127.0.0.1:${port}` }
  process.send?.(report)
})
