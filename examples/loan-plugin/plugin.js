import { readFileSync } from 'node:fs'
import { createPrivateKey, fastifyPlugin, fieldType, openPlugin, picksInvalid } from '@sealpost/plugin-kit'
import { fastify } from 'fastify'

/** Yearly interest in percent, and the limits of each product. */
const products = [
  { id: 'express', label: 'Express', interest: 7.9, most: 10_000, longest: 36 },
  { id: 'classic', label: 'Classic', interest: 4.9, most: 50_000, longest: 84 },
  { id: 'green', label: 'Green renovation', interest: 3.2, most: 80_000, longest: 120 },
]
const fits = ({ most, longest }, { amount, months }) => amount > 0 && amount <= most && months > 0 && months <= longest

const offer = fieldType({
  key: 'loan_offer',
  label: 'Loan offer',
  // The flow wires these to its own fields: the person types amount and duration once, in the flow.
  inputs: {
    amount: { type: 'number', label: 'Amount', required: true },
    months: { type: 'number', label: 'Duration in months', required: true },
    start: { type: 'date', label: 'First payment' },
  },
  blocks: {
    product: {
      kind: 'search_select',
      label: 'Product',
      options: ({ inputs }) =>
        products.filter((product) => fits(product, inputs)).map(({ id, label }) => ({ id, label })),
    },
  },
  outputs: {
    monthly_rate: { type: 'number', label: 'Monthly rate' },
    total: { type: 'number', label: 'Total' },
    interest: { type: 'number', label: 'Interest in percent' },
    last_payment: { type: 'date', label: 'Last payment' },
  },
  compute({ picks, inputs: { amount, months, start } }) {
    if (!Number.isInteger(months)) return picksInvalid
    const { interest } = products.find(({ id }) => id === picks.product)
    const monthly = interest / 1200
    const rate = round((amount * monthly) / (1 - (1 + monthly) ** -months))
    return {
      monthly_rate: rate,
      total: round(rate * months),
      interest,
      last_payment: start === undefined ? null : monthsLater(start, months - 1),
    }
  },
})

function round(amount) {
  return Math.round(amount * 100) / 100
}

function monthsLater(date, months) {
  const [year, month, day] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10)
}

const { KEY_FILE, TOKEN, PORT = '3002' } = process.env
const plugin = await openPlugin({
  name: 'Northwind loans',
  key: KEY_FILE === undefined ? await createPrivateKey() : readFileSync(KEY_FILE, 'utf8'),
  ...(TOKEN === undefined ? {} : { token: TOKEN }),
  fieldTypes: [offer],
})

const app = fastify()
await app.register(fastifyPlugin(plugin), { prefix: '/plugin' })
console.log(`${await app.listen({ port: Number(PORT), host: '127.0.0.1' })}/plugin`)
