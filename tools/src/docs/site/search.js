import MiniSearch from './minisearch.js'
import { SEARCH_OPTIONS } from './search-options.js'

const MOST_FOUND = 12
const base = document.documentElement.dataset.base
const form = document.querySelector('form[role=search]')
const input = form.querySelector('input')
const list = form.querySelector('ol')
let loading = null

function load() {
  loading ??= fetch(`${base}site/search.json`)
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, SEARCH_OPTIONS))
  return loading
}

function itemOf({ url, page, title }) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = base + url
  link.textContent = title
  if (page !== title) {
    const where = document.createElement('small')
    where.textContent = page
    link.append(where)
  }
  item.append(link)
  return item
}

async function show() {
  const query = input.value.trim()
  const index = await load()
  if (query !== input.value.trim()) return
  const found = query === '' ? [] : index.search(query).slice(0, MOST_FOUND)
  list.replaceChildren(...found.map(itemOf))
  if (query !== '' && found.length === 0) {
    const none = document.createElement('li')
    none.textContent = 'Nothing was found.'
    list.append(none)
  }
  list.hidden = query === ''
}

input.addEventListener('focus', load, { once: true })
input.addEventListener('input', show)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  list.querySelector('a')?.click()
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') list.hidden = true
  if (event.key !== '/' || event.target.matches('input, textarea')) return
  event.preventDefault()
  input.focus()
})
