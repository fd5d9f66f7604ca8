import { createServer } from 'node:https'

/** A plugin's server on loopback that answers every question with the same reply, in a process of its own. */
const { PORT = '0', CERTIFICATE = '', KEY = '', REPLY = '' } = process.env
const body = JSON.stringify({ reply: REPLY })

createServer({ cert: CERTIFICATE, key: KEY }, (request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
}).listen(Number(PORT), '127.0.0.1')
