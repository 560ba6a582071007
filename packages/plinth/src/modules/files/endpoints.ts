// The endpoints of a resource's files.

import { appSettings } from '../../core/config/service-settings.ts'
import type { Operation } from '../../core/model/access-rules.ts'
import { integer } from '../../core/model/fields.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import { type Call, contentBody, defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import { allowed } from '../../core/rest/permits.ts'
import type { Service } from '../../core/service.ts'
import { mediaTypes } from './file-types.ts'
import { fileList, findOwner, largestPreview, listFiles, serveFile, smallestPreview } from './serve.ts'
import { fileSettings, storageFor } from './storage.ts'
import { receiveUpload, removeFile } from './upload.ts'

/** The rules of who may upload files to the records of a resource, and which fields show pictures. */
export interface FileRules {
  /** The operation that a caller needs on a record to add files to it. Readers of the record may read its files. */
  readonly uploadAs: Operation
  /** Fields that are set to the address of the file of their name; it must be a picture. */
  readonly pictures: readonly string[]
}

const binary: JsonSchema = { type: 'string', format: 'binary' }

const content = Object.fromEntries(mediaTypes.map(type => [type, binary]))

/** `POST` and `GET …/{pk}/files`, `GET` and `DELETE …/{pk}/files/{name}` for the records of one resource. */
export const fileEndpoints = (service: Service, name: string, rules: FileRules): readonly Endpoint[] => {
  const { uploadAs, pictures } = rules
  const { config } = service
  const limits = {
    dataDir: config.get(appSettings).dataDir,
    maxBytes: config.get(fileSettings).maxBytes,
    maxBytesPerUser: config.get(fileSettings).maxBytesPerUser,
  }
  const resource = service.platform.registry.resource(name)
  const storageOf = storageFor(config)
  const filesFor = async ({ context, request }: Pick<Call, 'context' | 'request'>, operation: Operation) => {
    const owner = await findOwner(context, { resource, pk: request.params.pk ?? '' }, operation)
    return { owner, storage: await storageOf() }
  }
  const path = `/api/rest/${name}/{pk}/files`
  const Name = name.charAt(0).toUpperCase() + name.slice(1)
  return [
    defineEndpoint({
      method: 'POST',
      path,
      id: `upload${Name}Files`,
      summary: 'Upload files',
      description: 'Each file is stored under the name of its form field. An existing file with that name is replaced.',
      access: allowed(resource, uploadAs),
      body: contentBody({ 'multipart/form-data': { type: 'object', additionalProperties: binary } }),
      answers: {
        200: { about: 'All files replaced existing ones.', value: fileList },
        201: { about: 'Some files are new.', value: fileList },
      },
      problems: [400, 401, 403, 404, 409, 413, 415, 422, 503],
      receive: async call =>
        receiveUpload(call.context, call.request, { ...(await filesFor(call, uploadAs)), ...limits, pictures }),
    }),
    defineEndpoint({
      method: 'GET',
      path,
      id: `list${Name}Files`,
      summary: 'List files',
      access: allowed(resource, 'read'),
      answers: { 200: { about: 'The files.', value: fileList } },
      run: async call => listFiles(call.context, (await filesFor(call, 'read')).owner),
    }),
    defineEndpoint({
      method: 'GET',
      path: `${path}/{name}`,
      id: `read${Name}File`,
      summary: 'Download a file',
      access: allowed(resource, 'read'),
      query: {
        preview: integer({
          min: smallestPreview,
          max: largestPreview,
          about: 'Return a preview that fits into a square of this size.',
        }),
      },
      headers: { Range: { says: 'The part of the file to send, such as `bytes=1000-`. One part at a time.' } },
      produces: '*/*',
      answers: {
        200: { about: 'The file, as a download.', content, headers: { 'Accept-Ranges': 'Always `bytes`.' } },
        206: {
          about: 'The requested range.',
          content,
          headers: { 'Content-Range': 'The range and the size of the file.' },
        },
      },
      problems: [400, 401, 403, 404, 416, 422, 503],
      answer: async call => serveFile(call, { ...(await filesFor(call, 'read')), edge: call.query.preview }),
    }),
    defineEndpoint({
      method: 'DELETE',
      path: `${path}/{name}`,
      id: `delete${Name}File`,
      summary: 'Delete a file',
      description: 'A field that refers to the file becomes null.',
      access: allowed(resource, uploadAs),
      answers: { 204: 'The file is deleted.' },
      problems: [401, 403, 404, 503],
      run: async call => removeFile(call, { ...(await filesFor(call, uploadAs)), pictures }),
    }),
  ]
}
