// The endpoints of a resource's files.

import { appSettings } from '../../core/config/service-settings.ts'
import type { Operation } from '../../core/model/access-rules.ts'
import type { OwnFiles } from '../../core/model/definition.ts'
import { integer } from '../../core/model/fields.ts'
import { type FileField, fileFieldsOf } from '../../core/model/file-fields.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import type { Resource } from '../../core/model/resource.ts'
import { type Call, contentBody, defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import { allowed, type Permit } from '../../core/rest/permits.ts'
import type { Service } from '../../core/service.ts'
import { mediaTypes } from './file-types.ts'
import { storageFor } from './open-storage.ts'
import { receiveUploads, uploadsShape } from './receive-uploads.ts'
import { fileList, findOwner, largestPreview, listFiles, serveFile, smallestPreview } from './serve.ts'
import type { Storage } from './storage.ts'
import { fileSettings } from './storage-settings.ts'
import { receiveUpload, removeFile, type Upload } from './upload.ts'

const binary: JsonSchema = { type: 'string', format: 'binary' }

const content = Object.fromEntries(mediaTypes.map(type => [type, binary]))

/** The endpoints of files for all resources that declare them, and for all that have fields of files. */
export const fileEndpoints = (service: Service): readonly Endpoint[] =>
  service.platform.registry.resources.flatMap(resource => {
    const { files, internal } = resource.definition
    const fields = fileFieldsOf(resource)
    if (internal || (!files && fields.size === 0)) return []
    const place = { ...placeOf(service), resource }
    return [
      ...(files ? ownFiles(place, files === true ? {} : files) : []),
      download(place),
      ...(fields.size > 0 ? [uploadForFields(place, fields)] : []),
    ]
  })

interface Place {
  readonly resource: Resource
  readonly storageOf: () => Promise<Storage>
  readonly limits: Pick<Upload, 'dataDir' | 'maxBytes' | 'maxBytesPerUser'>
}

const placeOf = ({ config }: Service): Omit<Place, 'resource'> => ({
  storageOf: storageFor(config),
  limits: {
    dataDir: config.get(appSettings).dataDir,
    maxBytes: config.get(fileSettings).maxBytes,
    maxBytesPerUser: config.get(fileSettings).maxBytesPerUser,
  },
})

const titleOf = ({ name }: Resource): string => name.charAt(0).toUpperCase() + name.slice(1)

const ownerOf = async (
  { resource, storageOf }: Place,
  { context, request }: Pick<Call, 'context' | 'request'>,
  operation: Operation,
) => {
  const owner = await findOwner(context, { resource, pk: request.params.pk ?? '' }, operation)
  return { owner, storage: await storageOf() }
}

/** `POST` and `GET …/{pk}/files`, and `DELETE …/{pk}/files/{name}`. */
const ownFiles = (place: Place, { uploadAs = 'patch', pictures = [] }: OwnFiles): readonly Endpoint[] => {
  const { resource, limits } = place
  const path = `/api/rest/${resource.name}/{pk}/files`
  const Name = titleOf(resource)
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
        receiveUpload(call.context, call.request, { ...(await ownerOf(place, call, uploadAs)), ...limits, pictures }),
    }),
    defineEndpoint({
      method: 'GET',
      path,
      id: `list${Name}Files`,
      summary: 'List files',
      access: allowed(resource, 'read'),
      answers: { 200: { about: 'The files.', value: fileList } },
      run: async call => listFiles(call.context, (await ownerOf(place, call, 'read')).owner),
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
      run: async call => removeFile(call, { ...(await ownerOf(place, call, uploadAs)), pictures }),
    }),
  ]
}

export const downloadQuery = {
  preview: integer({
    min: smallestPreview,
    max: largestPreview,
    about: 'Return a preview that fits into a square of this size.',
  }),
}

/** `GET …/{pk}/files/{name}`. */
const download = (place: Place): Endpoint =>
  defineEndpoint({
    method: 'GET',
    path: `/api/rest/${place.resource.name}/{pk}/files/{name}`,
    id: `read${titleOf(place.resource)}File`,
    summary: 'Download a file',
    access: allowed(place.resource, 'read'),
    query: downloadQuery,
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
    answer: async call => serveFile(call, { ...(await ownerOf(place, call, 'read')), edge: call.query.preview }),
  })

const writes: readonly Operation[] = ['create', 'replace', 'patch']

/** Permits callers who can write some records at least. */
const mayWriteSome =
  (resource: Resource): Permit =>
  ({ platform: { access }, caller }) => {
    if (writes.every(operation => access.decide(resource, operation, caller) === false))
      access.permit(resource, 'create', caller)
  }

/** `POST /api/rest/{resource}/files`. */
const uploadForFields = ({ resource, storageOf, limits }: Place, fields: ReadonlyMap<string, FileField>): Endpoint => {
  const Name = titleOf(resource)
  const answer = uploadsShape(`${Name}Uploads`, fields)
  return defineEndpoint({
    method: 'POST',
    path: `/api/rest/${resource.name}/files`,
    id: `upload${Name}`,
    summary: 'Upload files for fields',
    description:
      'Each file is for the field that its form field is named after. The answer has the values with which a record can then be created or changed. What no record has taken after a day is deleted.',
    access: mayWriteSome(resource),
    body: contentBody({ 'multipart/form-data': bodyOfFields(fields) }),
    answers: { 201: { about: 'The files, by field.', value: answer } },
    problems: [400, 401, 403, 409, 413, 415, 422, 503],
    receive: async ({ context, request }) =>
      receiveUploads(context, request, {
        ...{ resource: resource.name, fields, answer, storage: await storageOf() },
        ...limits,
      }),
  })
}

const bodyOfFields = (fields: ReadonlyMap<string, FileField>): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    [...fields].map(
      ([
        name,
        {
          limits: { most },
        },
      ]) => [name, most === null ? binary : { type: 'array', items: binary, maxItems: most }],
    ),
  ),
})
