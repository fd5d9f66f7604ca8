import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createPrivateKey, fieldType, nodeHandler, openPlugin } from '@sealpost/plugin-kit'

const brands = JSON.parse(readFileSync(new URL('cars.json', import.meta.url), 'utf8'))
const brandOf = (id) => brands.find((brand) => brand.id === id)
const modelOf = ({ brand, model }) => brandOf(brand)?.models.find((one) => one.id === model)

const car = fieldType({
  key: 'car',
  label: 'Car',
  blocks: {
    brand: {
      kind: 'search_select',
      label: 'Brand',
      options: brands.map(({ id, label }) => ({ id, label })),
    },
    model: {
      kind: 'search_select',
      label: 'Model',
      dependsOn: ['brand'],
      options: ({ picks }) => brandOf(picks.brand).models.map(({ id, label }) => ({ id, label })),
    },
    engine: {
      kind: 'search_select',
      label: 'Engine',
      dependsOn: ['brand', 'model'],
      options: ({ picks }) => modelOf(picks).engines.map(({ id, label }) => ({ id, label })),
    },
  },
  outputs: {
    power_kw: { type: 'number', label: 'Power in kW' },
    electric: { type: 'boolean', label: 'Electric' },
    co2: { type: 'number', label: 'CO2 in g/km' },
  },
  // Called with picks that fit each other: the kit has checked them.
  compute({ picks }) {
    const { kw, co2 } = modelOf(picks).engines.find(({ id }) => id === picks.engine)
    return { power_kw: kw, electric: co2 === 0, co2: co2 === 0 ? null : co2 }
  },
})

// In production the key is a file or a secret: a new key at each start makes every open page seal once more.
const { KEY_FILE, TOKEN, PORT = '3001' } = process.env
const plugin = await openPlugin({
  name: 'Car catalogue',
  key: KEY_FILE === undefined ? await createPrivateKey() : readFileSync(KEY_FILE, 'utf8'),
  ...(TOKEN === undefined ? {} : { token: TOKEN }),
  fieldTypes: [car],
})

const server = createServer(nodeHandler(plugin))
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})
