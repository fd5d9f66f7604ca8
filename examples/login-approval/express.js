import express from 'express'
import { beginLogin, COOKIE, page, readLogin, userOf } from './site.js'

const app = express()
app.use(express.json())

app.get('/', (_request, response) => {
  response.type('html').send(page)
})

app.get('/me', (request, response) => {
  response.json({ user: userOf(cookieOf(request, 'session')) })
})

app.post('/login', async (request, response) => {
  const { id, state, digits } = await beginLogin(String(request.body?.name ?? ''))
  response.cookie('attempt', id, COOKIE).json({ state, digits })
})

app.get('/login', (request, response) => {
  const { state, session } = readLogin(cookieOf(request, 'attempt'))
  if (session !== undefined) response.cookie('session', session, COOKIE)
  response.set('cache-control', 'no-store').json({ state })
})

function cookieOf(request, name) {
  const pairs = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split('='))
  return pairs.find(([key]) => key === name)?.[1] ?? ''
}

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})
