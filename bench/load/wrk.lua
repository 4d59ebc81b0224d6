-- Sends the requests of a file one after the other, and then again from the first. Puts a number where a request has a place for one.
-- Usage: wrk -s wrk.lua URL -- FILE FIRST_NUMBER ANIMALS PAUSE_MS
local requests, current, number, animals = {}, 0, 0, 1

function init(args)
	local file = assert(io.open(args[1], "rb"))
	for record in file:read("*a"):gmatch("%Z+") do
		requests[#requests + 1] = toRequest(record)
	end
	file:close()
	number, animals = tonumber(args[2]), tonumber(args[3])
	math.randomseed(number + 1)
	local pause = tonumber(args[4])
	if pause > 0 then
		-- Exponentially distributed, like the pauses between the requests of independent clients. wrk takes whole milliseconds only,
		-- so a pause is rounded up or down at random, in a way that keeps the mean.
		delay = function()
			return math.floor(-pause * math.log(1 - math.random()) + math.random())
		end
	end
end

function request()
	current = current % #requests + 1
	local request = requests[current]
	if request.makeNumber == nil then return request.text end
	return table.concat(request.parts, request.makeNumber())
end

function toRequest(record)
	local kind, text = record:sub(1, 1), record:sub(2)
	if kind == "=" then return { text = text } end
	local parts = {}
	for part in (text .. "\1"):gmatch("([^\1]*)\1") do
		parts[#parts + 1] = part
	end
	return { parts = parts, makeNumber = makers[kind] }
end

function randomId()
	return math.random(animals)
end

function paddedId()
	return string.format("%09d", randomId())
end

function nextNumber()
	number = number + 1
	return string.format("%09d", number)
end

makers = { ["?"] = randomId, ["0"] = paddedId, ["+"] = nextNumber }
