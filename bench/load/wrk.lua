-- Sends the requests of a file in turn, each with a number of its own where it wants one.
-- Usage: wrk -s wrk.lua URL -- FILE FIRST_NUMBER ANIMALS PAUSE_MS
local requests, turn, number, animals = {}, 0, 0, 1

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
		-- As if each request came by itself: the pauses of independent callers are distributed like this. wrk knows whole
		-- milliseconds only, so they are rounded up or down by chance, which keeps their mean.
		delay = function()
			return math.floor(-pause * math.log(1 - math.random()) + math.random())
		end
	end
end

function request()
	turn = turn % #requests + 1
	local request = requests[turn]
	if request.draw == nil then return request.text end
	return table.concat(request.parts, request.draw())
end

function toRequest(record)
	local kind, text = record:sub(1, 1), record:sub(2)
	if kind == "=" then return { text = text } end
	local parts = {}
	for part in (text .. "\1"):gmatch("([^\1]*)\1") do
		parts[#parts + 1] = part
	end
	return { parts = parts, draw = kind == "?" and random or nextNumber }
end

function random()
	return math.random(animals)
end

function nextNumber()
	number = number + 1
	return string.format("%09d", number)
end
